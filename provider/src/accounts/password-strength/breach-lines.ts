const LINE = /^[0-9A-F]{35}(?::(\d{1,12}))?$/u;

/**
 * The suffixes of a range, in upper case, each between line breaks. Entries with the count 0 are padding, which hides the size of the
 * range. Throws for anything other than a range, such as an error page or a range of NTLM hashes.
 */
export function suffixesOf(range: string): string {
  const lines = range
    .toUpperCase()
    .split(/\r?\n/u)
    .filter((line) => line !== '');
  const suffixes = lines.flatMap((line) => {
    const found = LINE.exec(line);
    if (found === null) throw new Error('not a range of SHA-1 hashes');
    return Number(found[1] ?? 1) === 0 ? [] : [line.slice(0, 35)];
  });
  return `\n${suffixes.join('\n')}\n`;
}

export function includesSuffix(suffixes: string, suffix: string): boolean {
  return suffixes.includes(`\n${suffix}\n`);
}
