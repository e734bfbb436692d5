/**
 * What a thread of the pool in `password-judge.ts` runs.
 *
 * Plain JavaScript, because Node loads this file itself: from the sources in tests, from beside `main.js` when built.
 */

/**
 * How many spellings of a password with `@` for `a` and the like are looked up. Each is looked up whole, which is
 * nearly all of the time that a judgement takes: a hundred, the default, make it ten times as long.
 */
const MAX_SPELLINGS = 4;

/** Only what was loaded is kept: after a failure the next judgement loads again. */
let loaded;

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

/** zxcvbn's judgement of a text that is short already. */
export async function judge({ password, known }) {
  loaded ??= await load();
  const { score, feedback } = loaded.check(password, known);
  return { score, warning: feedback.warning ?? '', suggestions: feedback.suggestions };
}
