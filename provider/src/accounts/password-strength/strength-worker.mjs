// A thread has no origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
/**
 * The script of a thread of `judge.ts`: it reports that it has loaded, and answers each message with one judgement. An
 * exception ends the thread.
 *
 * Plain JavaScript, because Node loads this file itself: from the sources in tests, from beside `main.js` when built.
 */
import { parentPort } from 'node:worker_threads';

/**
 * How many substituted spellings of a password (`@` for `a` and so on) are looked up. These lookups take nearly all of the
 * time of a judgement: the default of a hundred takes ten times as long.
 */
const MAX_SPELLINGS = 4;

async function load() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    l33tMaxSubstitutions: MAX_SPELLINGS,
  });
}

const zxcvbn = await load();

parentPort.on('message', ({ password, known }) => {
  const { score, feedback } = zxcvbn.check(password, known);
  parentPort.postMessage({ score, warning: feedback.warning ?? '', suggestions: feedback.suggestions });
});
parentPort.postMessage('loaded');
