/**
 * The exit code that ends git-bisect(1), "Bisect run": git takes every lower one but 125 for a bad commit, also that of a
 * command line that could not be read.
 */
export const gitStop = 128;

/** Whether a command line is that of one step under `git bisect run`. */
export function isStepOfGit(words: readonly string[]): boolean {
  return words.includes('bisect') && words.some((word) => /^--(against|of)(=|$)/.test(word));
}
