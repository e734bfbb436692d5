// A thread has no origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
/**
 * What a thread of `judge.ts` runs: it says that it has loaded, and then one judgement for each message. What
 * fails here ends the thread.
 *
 * Plain JavaScript, because Node loads this file itself: from the sources in tests, from beside `main.js` when built.
 */
import { parentPort } from 'node:worker_threads';

/**
 * How many spellings of a password with `@` for `a` and the like are looked up. Each is looked up whole, which is
 * nearly all of the time that a judgement takes: a hundred, the default, make it ten times as long.
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
