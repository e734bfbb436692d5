import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { within } from '#provider/project/readers/readers.ts';

/** A mistake in the file; its line is null if it has no place in the text. */
export interface FileMistake {
  readonly reason: string;
  readonly line: number | null;
}

/** The text of a project file: JSON with comments and trailing commas. */
export class ProjectText {
  readonly json: unknown;
  /** The duplicate fields, at the line of the second: the first would have no effect. */
  readonly repeated: readonly FileMistake[];
  private readonly tree: Node;

  /** Throws an Error that names the line. It does not quote the text, which may contain secrets. */
  constructor(private readonly text: string) {
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined || tree === undefined) {
      const line = first === undefined ? 1 : this.lineAt(first.offset);
      const what = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
      throw new Error(`the project file is not JSON (line ${line}: ${sentence(what)})`);
    }
    this.tree = tree;
    this.repeated = this.repeatedIn(tree, '');
    this.json = getNodeValue(tree);
  }

  /** The line of a field such as `clients[2].name`, or of its parent; undefined if neither is in the text. */
  lineOf(path: string): number | undefined {
    const places = path.split(/[.[\]]+/u).filter((place) => place !== '');
    for (let length = places.length; length > 0; length -= 1) {
      const location = places.slice(0, length).map((place) => (/^\d+$/u.test(place) ? Number(place) : place));
      const node = findNodeAtLocation(this.tree, location);
      if (node !== undefined) return this.lineAt(node.offset);
    }
    return undefined;
  }

  private repeatedIn(node: Node, path: string): readonly FileMistake[] {
    const names = new Set<unknown>();
    return (node.children ?? []).flatMap((child, index) => {
      if (node.type === 'array') return this.repeatedIn(child, `${path}[${index}]`);
      if (node.type !== 'object') return [];
      const [name, value] = child.children ?? [];
      const field = within(path, String(name?.value));
      const isRepeated = names.has(name?.value);
      names.add(name?.value);
      return [
        ...(isRepeated
          ? [{ reason: `in the project file, ${field} is given twice`, line: this.lineAt(child.offset) }]
          : []),
        ...(value === undefined ? [] : this.repeatedIn(value, field)),
      ];
    });
  }

  private lineAt(offset: number): number {
    return this.text.slice(0, offset).split('\n').length;
  }
}

/** The contents of a project file, with unchecked fields. Throws an Error for text that is not JSON, and for duplicate fields. */
export function jsonOf(text: string): unknown {
  const { json, repeated } = new ProjectText(text);
  const [first] = repeated;
  if (first !== undefined) throw new Error(`${first.reason} (line ${first.line})`);
  return json;
}

/** `CommaExpected` as `comma expected`. */
const sentence = (code: string): string => code.replace(/(?<=[a-z])[A-Z]/gu, ' $&').toLowerCase();
