/** A zero-width place where a line may break. */
const BREAK = '\u200B';

/** Where a Japanese phrase begins after the previous one. Compound verbs and polite prefixes stay with their words. */
const STARTS = [
  // After a particle, a verb's end or a mark: kanji, katakana, a Latin word, a number, a value or a quotation.
  /(?<=[\p{Script=Hiragana}、。！？…」）])(?<![おご])(?<![いきけみり](?=[込取消返換合回直]))(?=[\p{Script=Han}\p{Script=Katakana}A-Za-z0-9{「（])(?<!もう(?=一))/gu,
  // Before an honorific.
  /(?<=[はがをにでと])(?=[おご]\p{Script=Han})/gu,
  // Before words that are written in hiragana.
  /(?<=\p{L})(?=もう|または|ほかの|すべて|すでに|まだ|この\p{L}|その\p{L})/gu,
  /(?<=もう一度)(?=\p{L})/gu,
];

/**
 * Marks where a line may break in a Japanese text, for browsers that do not detect phrases. It knows only the words of our texts, so a
 * host's text may break in fewer places.
 */
export const inPhrases = (text: string): string =>
  STARTS.reduce((marked, start) => marked.replaceAll(start, BREAK), text);

const findsPhrases = (): boolean => typeof CSS === 'undefined' || CSS.supports('word-break', 'auto-phrase');

/** The texts with marks, if this browser needs them. The style sheet for Japanese then lets lines break nowhere else. */
export function breakable<Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts {
  if (findsPhrases()) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, inPhrases(text)])) as Texts;
}
