import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { within } from '../../project/readers.ts';

/** The text of a project file: JSON with comments and trailing commas. */
export class ProjectText {
  readonly json: unknown;
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
    this.checkFields(tree, '');
    this.json = getNodeValue(tree);
  }

  /** The line of a field such as `clients[2].name`, or of its parent; undefined when neither is in the text. */
  lineOf(path: string): number | undefined {
    const places = path.split(/[.[\]]+/u).filter((place) => place !== '');
    for (let length = places.length; length > 0; length -= 1) {
      const location = places.slice(0, length).map((place) => (/^\d+$/u.test(place) ? Number(place) : place));
      const node = findNodeAtLocation(this.tree, location);
      if (node !== undefined) return this.lineAt(node.offset);
    }
    return undefined;
  }

  /** Refuses a field that is there twice: the first would have no effect. */
  private checkFields(node: Node, path: string): void {
    const seen = new Set<unknown>();
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') this.checkFields(child, `${path}[${index}]`);
      if (node.type !== 'object') continue;
      const [name, value] = child.children ?? [];
      const field = within(path, String(name?.value));
      if (seen.has(name?.value)) {
        throw new Error(`in the project file, ${field} is given twice (line ${this.lineAt(child.offset)})`);
      }
      seen.add(name?.value);
      if (value !== undefined) this.checkFields(value, field);
    }
  }

  private lineAt(offset: number): number {
    return this.text.slice(0, offset).split('\n').length;
  }
}

/** `CommaExpected` as `comma expected`. */
const sentence = (code: string): string => code.replace(/(?<=[a-z])[A-Z]/gu, ' $&').toLowerCase();
