/** Which Node runs Portico. What is imported here, and every file that imports it statically, is read by the versions that it refuses. */
// @ts-check

/** The first version that `engines` of all workspaces accept; a gate compares them. */
export const NEEDED = '22.12';
/** Older versions lack what the programs use. From here to `NEEDED` they run, but nobody tests it. */
const REFUSED_BELOW = '20.19';

/** @param {string} version @param {string} [needed] */
export function tooOld(version, needed = REFUSED_BELOW) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first = 0, second = 0] = needed.split('.').map(Number);
  return major < first || (major === first && minor < second);
}

/** The sentence for a version that is refused; null for others. */
export function oldNode(version = process.versions.node) {
  return tooOld(version) ? `Portico needs Node ${NEEDED} or newer; this is Node ${version}.` : null;
}
