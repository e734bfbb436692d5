const FENCE = '```';

/** The name of the reader's file that a block is; null for other blocks. A file of an example begins with `examples/NAME/`. */
function fileNameIn(fence: string): string | null {
  for (const word of fence.split(' ')) {
    if (word.startsWith('path=')) return word.slice('path='.length);
    if (word.startsWith('from=examples/')) return word.split('/').slice(2).join('/');
  }
  return null;
}

/** The files that a guide shows whole, each in one block: their texts by their names. */
export function guideFiles(markdown: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let name: string | null = null;
  let isInBlock = false;
  let lines: string[] = [];
  for (const line of markdown.split('\n')) {
    if (line === FENCE && isInBlock) {
      if (name !== null) files.set(name, `${lines.join('\n')}\n`);
      isInBlock = false;
    } else if (isInBlock) {
      lines.push(line);
    } else if (line.startsWith(FENCE)) {
      isInBlock = true;
      name = fileNameIn(line);
      lines = [];
    }
  }
  return files;
}
