import type { Page } from '../page/page.ts';

/** What an explanation changes in the head of a sweep's page: the question, and its answer. */
export function explainedHead(
  answer: readonly string[],
): Pick<Page, 'title' | 'headline' | 'finding'> {
  const [headline = ''] = answer;
  return {
    title: 'Should a browser compress a DCB response before it stores it?',
    headline,
    finding: answer,
  };
}
