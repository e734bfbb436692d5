import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from '#scripts/lib/root.mjs';

const SOURCE = /^(?:src|server-rules|provider\/src)\/.+\.tsx?$/u;
/** Nothing more follows what has been quiet for this long: longer than a file takes that is loaded on a busy machine. */
const QUIET_MS = 500;
/** More than a test runner writes around a module. */
const WRAPPER_CHARS = 500;

/**
 * The source files of which at least one function runs during the act, by V8's precise coverage; sorted. What was begun before is waited
 * for, and does not count.
 *
 * @param follow whether what follows from the act counts too
 */
export async function filesRun(act: () => unknown, follow = true): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await untilQuiet(session);
    await act();
    const ran = await filesSince(session);
    const after = follow ? await untilQuiet(session) : [];
    return [...new Set([...ran, ...after])].sort();
  } finally {
    session.disconnect();
  }
}

async function untilQuiet(session: Session): Promise<readonly string[]> {
  const ran: string[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await delay(QUIET_MS);
    // oxlint-disable-next-line no-await-in-loop
    const more = await filesSince(session);
    if (more.length === 0) return ran;
    ran.push(...more);
  }
}

/** The files with a function that ran since the last call of this. */
async function filesSince(session: Session): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const root = pathToFileURL(`${ROOT}/`).href;
  const ran = result.filter(({ functions }) => {
    const lengths = functions.map(({ ranges: [whole] }) => (whole ? whole.endOffset - whole.startOffset : 0));
    const longest = Math.max(...lengths);
    // The module itself runs when it is first imported, and so does the function that the test runner puts around it.
    const isModule = (name: string, length: number): boolean => name === '' && length > longest - WRAPPER_CHARS;
    return functions.some(
      ({ functionName, ranges }, at) =>
        !isModule(functionName, lengths[at] ?? 0) && ranges.some(({ count }) => count > 0),
    );
  });
  return ran.map(({ url }) => url.replace(root, '').replace(`${ROOT}/`, '')).filter((name) => SOURCE.test(name));
}
