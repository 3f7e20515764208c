/** What is wrong with a deployment, or worth knowing. */
export interface Finding {
  /** `error`: a browser ignores or rejects it, or other users see wrong bytes; `warning`: it can go wrong; `note`: a fact. */
  level: 'error' | 'warning' | 'note';
  url: string;
  /** What was seen and which rule it breaks: one sentence without a full stop. */
  says: string;
  /** Where the rule is, such as `RFC 9842 section 6.2`. */
  rule: string;
  /** What to change; empty for a note. */
  fix: string;
}

/** `RFC 9842 section 6.2`. */
export const rfc9842 = (section: string): string => `RFC 9842 section ${section}`;

/** The findings as text, the errors first; the last line has their counts. */
export function findingsText(findings: readonly Finding[]): string {
  const levels = ['error', 'warning', 'note'] as const;
  const parts = levels.flatMap((level) =>
    findings
      .filter((finding) => finding.level === level)
      .map(({ url, says, rule, fix }) => {
        const lines = [`${level.toUpperCase()} ${url}`, `  ${says} (${rule}).`];
        return [...lines, ...(fix === '' ? [] : [`  Fix: ${fix}`])].join('\n');
      }),
  );
  const counts = levels.map((level) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return `${length} ${level}${length === 1 ? '' : 's'}`;
  });
  return `${[...parts, `${counts.join(', ')}.`].join('\n\n')}\n`;
}
