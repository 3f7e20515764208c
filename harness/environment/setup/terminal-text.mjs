// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check

/**
 * A line that ends with a command to type, in two parts: a command is copied whole, so nothing breaks it.
 *
 * @param {string} line
 * @returns {{ prose: string; command: string | null }}
 */
export function withCommandApart(line) {
  const [, prose = line, command = null] = /^(.*\b[Tt]ype(?: as root)?:) (.+)$/.exec(line) ?? [];
  return { prose, command };
}

/**
 * A message for a terminal: its lines break between words, and each command to type has a line of its own.
 *
 * @param {string} text
 * @param {number} columns
 */
export function terminalText(text, columns) {
  const lines = text.split('\n').flatMap((line) => {
    const { prose, command } = withCommandApart(line);
    return [...broken(prose, columns), ...(command === null ? [] : [`  ${command}`])];
  });
  return lines.join('\n');
}

/**
 * @param {string} line
 * @param {number} columns
 */
function broken(line, columns) {
  /** @type {string[]} */
  const lines = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
