// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check

/** The commands that read files only, or serve: they run wherever Node does, without /proc and /sys. */
export const portableCommands = new Set(
  'report compare baseline merge query har lint plan origin completion'.split(' '),
);

/**
 * Why a command line cannot run on a system; null: it can.
 *
 * @param {readonly string[]} words The command and its arguments.
 * @param {NodeJS.Platform} [platform] Default: this system.
 * @returns {string | null}
 */
export function platformObstacle([command = '--help', ...args], platform = process.platform) {
  const isHelp = command.startsWith('-') || args.includes('--help') || args.includes('-h');
  if (platform === 'linux' || portableCommands.has(command) || isHelp) return null;
  const where = platform === 'win32' ? 'Use Windows Subsystem for Linux 2' : 'Use Linux';
  return (
    `${command} runs on Linux only, and this is ${platform}. ${where}. ` +
    `Here run: the panel (npm run build:extension), ${[...portableCommands].join(', ')}.`
  );
}
