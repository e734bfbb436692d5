/** The names that apps and other services give themselves, on the pages that show them. */

const LONGEST_NAME = 120;

/** A text without visible characters. The Hangul fillers and the blank Braille pattern count as letters and symbols in Unicode. */
const BLANK = /^[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Spaces and their lookalikes. A row of them would push the rest of a name out of sight. */
const SPACES = /[\s\p{Cc}\u00AD\u115F\u1160\u200B\u2060\u2800\u3164\uFEFF\uFFA0]+/gu;

/** The text on one line, without bidirectional control characters and piles of marks, cut to 120 characters. */
export function tidied(text: string): string {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    // A longer pile of marks would be drawn over the lines above and below.
    .replaceAll(/([\p{M}\u200C\u200D]{4})[\p{M}\u200C\u200D]+/gu, '$1')
    .replaceAll(SPACES, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : line;
}

/** True for a text that shows nothing. */
export const isBlank = (text: string): boolean => BLANK.test(text);
