/** A regular expression as an automaton with a state for each of its characters (Glushkov), as a backtracking matcher walks it. */
import { RegExpParser, type AST } from '@eslint-community/regexpp';

type State = number;

/** A part of the expression. */
interface Fragment {
  /** The states with which it begins, and whether only at the start of the text. */
  readonly first: ReadonlyMap<State, boolean>;
  /** The states with which it ends, and whether nothing can fail after them. */
  readonly last: ReadonlyMap<State, boolean>;
  /** Whether it can match no character. */
  readonly isOptional: boolean;
  /** Whether it then matches only at the start of the text. */
  readonly atStart: boolean;
  /** Whether it has an assertion, which can fail. */
  readonly asserts: boolean;
}

const NOTHING: Fragment = { first: new Map(), last: new Map(), isOptional: true, atStart: false, asserts: false };

/** A repetition up to this number is slow enough to count as endless. */
const ENDLESS = 500;
/** This number of copies stands for every longer repetition that has an end. */
const COPIES = 3;

const ANY = String.raw`[\s\S]`;
const LINE_END = String.raw`[\n\r\u2028\u2029]`;

export class ExpressionAutomaton {
  /** The class of characters that leads into each state, as it is written. */
  readonly classes: string[] = [];
  /** The next states of each, and by how many ways. */
  readonly next: Map<State, number>[] = [];
  /** States after which the match cannot fail. */
  readonly sure: ReadonlySet<State>;
  /** The states of the search, which tries every place of the text. */
  readonly search: ReadonlySet<State>;

  constructor(source: string, flags: string) {
    const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
    const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, modes);
    const { first, last } = this.choice(alternatives, false);
    this.sure = new Set([...last].flatMap(([state, isSure]) => (isSure ? [state] : [])));
    this.search = flags.includes('y') ? new Set() : this.searchFor(first, flags.includes('m'));
  }

  private searchFor(first: Fragment['first'], hasLines: boolean): ReadonlySet<State> {
    const place = this.add(ANY);
    const lineEnd = this.add(LINE_END);
    const both = [place, lineEnd];
    this.connect(both, both);
    for (const [state, atStart] of first) {
      if (!atStart) this.connect(both, [state]);
      else if (hasLines) this.connect([lineEnd], [state]);
    }
    return new Set(both);
  }

  private add(characters: string): State {
    this.next.push(new Map());
    return this.classes.push(characters) - 1;
  }

  private connect(from: Iterable<State>, to: Iterable<State>): void {
    const targets = [...to];
    for (const state of from) {
      const ways = this.next[state];
      for (const target of targets) ways?.set(target, (ways.get(target) ?? 0) + 1);
    }
  }

  private sequence(a: Fragment, b: Fragment): Fragment {
    this.connect(a.last.keys(), b.first.keys());
    const follow = [...b.first].map(([state, atStart]) => [state, atStart || a.atStart] as const);
    const before = [...a.last].map(([state, isSure]) => [state, isSure && !b.asserts] as const);
    return {
      first: new Map([...(a.isOptional ? follow : []), ...a.first]),
      last: new Map([...(b.isOptional ? before : []), ...b.last]),
      isOptional: a.isOptional && b.isOptional,
      atStart: a.atStart || b.atStart,
      asserts: a.asserts || b.asserts,
    };
  }

  /** @param isBackward whether it is read from its end, as in a lookbehind */
  private choice(alternatives: readonly AST.Alternative[], isBackward: boolean): Fragment {
    const all = alternatives.map(({ elements }) =>
      (isBackward ? [...elements].reverse() : elements)
        .map((each) => this.fragment(each, isBackward))
        .reduce((a, b) => this.sequence(a, b), NOTHING),
    );
    return {
      first: new Map(all.flatMap(({ first }) => [...first])),
      last: new Map(all.flatMap(({ last }) => [...last])),
      isOptional: all.some(({ isOptional }) => isOptional),
      atStart: all.every(({ isOptional, atStart }) => !isOptional || atStart),
      asserts: all.some(({ asserts }) => asserts),
    };
  }

  private fragment(element: AST.Element, isBackward: boolean): Fragment {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.choice(element.alternatives, isBackward);
      case 'Quantifier':
        return this.repetition(element, isBackward);
      case 'Assertion':
        return this.assertion(element);
      case 'Backreference':
        return this.endless(this.character(ANY));
      default:
        return this.character(element.raw);
    }
  }

  private character(raw: string): Fragment {
    const state = this.add(raw);
    return { ...NOTHING, first: new Map([[state, false]]), last: new Map([[state, true]]), isOptional: false };
  }

  private endless(one: Fragment): Fragment {
    this.connect(one.last.keys(), one.first.keys());
    return one;
  }

  private repetition({ min, max, element }: AST.Quantifier, isBackward: boolean): Fragment {
    const isEndless = max >= ENDLESS;
    const needed = Math.min(min, isEndless ? 1 : COPIES - (max > min ? 1 : 0));
    const copies = isEndless ? 1 : Math.min(max, COPIES);
    return Array.from({ length: copies }, (_, copy) => copies - copy).reduce((rest, copy) => {
      const one = this.fragment(element, isBackward);
      if (isEndless) this.endless(one);
      const all = this.sequence(one, rest);
      // A repetition that may be missing is missing together with those after it.
      return copy <= needed ? all : { ...all, isOptional: true, atStart: false };
    }, NOTHING);
  }

  private assertion(node: AST.Assertion): Fragment {
    if (node.kind === 'start') return { ...NOTHING, atStart: true, asserts: true };
    if (!('alternatives' in node)) return { ...NOTHING, asserts: true };
    // What it looks at is read again from every place, also where it succeeds.
    const { first } = this.choice(node.alternatives, node.kind === 'lookbehind');
    return { ...NOTHING, first, asserts: true };
  }
}
