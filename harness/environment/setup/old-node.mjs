// Part of the start: Node 12 can read it, as it must read each file that is imported before this answer is known.
// @ts-check

/**
 * Why a Node is too old to start the project, with what to do; null: it can.
 *
 * @param {string} version
 * @returns {string | null}
 */
export function oldNodeText(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 18 || (major === 18 && minor >= 15)) return null;
  return (
    'CS_SETUP_NODE: Node ' +
    version +
    ' is too old to start Cachescope: 18.15 or newer is needed. ' +
    'Install one from your distribution or from nodejs.org, and try again.'
  );
}
