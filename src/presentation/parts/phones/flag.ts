let drawn: boolean | null = null;

const flag = (country: string): string =>
  country.replace(/[A-Z]/gu, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 127_397));

/** Fonts that know flags draw two regional indicators as one mark; others draw two letters, or two empty boxes. */
function drawsFlags(): boolean {
  const pen = document.createElement('canvas').getContext?.('2d');
  return !!pen && pen.measureText(flag('US')).width < pen.measureText(flag('U')).width * 1.5;
}

/** A country's flag, or its code where the fonts have no flags. For the eye alone. */
export function flagOf(country: string): string {
  drawn ??= drawsFlags();
  return drawn ? flag(country) : country;
}
