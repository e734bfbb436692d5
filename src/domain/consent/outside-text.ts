/** Texts that apps and other services name themselves by, on the pages that show them. */

const LONGEST_NAME = 120;

/** A text without visible characters. The Hangul fillers and the blank Braille pattern count as letters and symbols in Unicode. */
const BLANK = /^[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The text on one line, without bidirectional control characters and piles of marks, cut to 120 characters. */
export function tidied(text: string): string {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    // A longer pile of marks would be drawn over the lines above and below.
    .replaceAll(/([\p{M}\u200C\u200D]{4})[\p{M}\u200C\u200D]+/gu, '$1')
    .replaceAll(/[\s\p{Cc}\u00AD\u200B\u2060\uFEFF]+/gu, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : line;
}

/** True for a text that shows nothing. */
export const isBlank = (text: string): boolean => BLANK.test(text);
