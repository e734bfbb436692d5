let drawn: boolean | null = null;

const flag = (country: string): string =>
  country.replace(/[A-Z]/gu, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 127_397));

/** Whether the fonts have flags: then two regional indicators are drawn as one glyph, else as two letters or boxes. */
function drawsFlags(): boolean {
  const pen = document.createElement('canvas').getContext?.('2d');
  return !!pen && pen.measureText(flag('US')).width < pen.measureText(flag('U')).width * 1.5;
}

/** A country's flag, or its code when the fonts have no flags. Decorative only. */
export function flagOf(country: string): string {
  drawn ??= drawsFlags();
  return drawn ? flag(country) : country;
}
