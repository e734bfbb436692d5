/**
 * Whether a backtracking matcher can need more than linear time for a regular expression: one word leads from a state p to p, from p to a
 * state q, and from q to q, and the match can fail after q (Weideman et al., 2016). A search is such a p by itself.
 *
 * The answer is the same in every run and on every machine. It does not look for the text after which the match fails, so it names some
 * expressions for which there is none.
 */
import { ExpressionAutomaton } from './expression-automaton.ts';

type State = number;

/** What classes of characters tell apart: scripts, cases, digits, blanks, marks, invisible characters. */
const SAMPLES = [
  ...Array.from({ length: 0x180 }, (_, code) => code),
  0x301,
  0x378,
  0x3a3,
  0x416,
  0x627,
  0x661,
  0x905,
  0x20ac,
  0x200b,
  0x2028,
  0x2029,
  0x202e,
  0x212a,
  0x3000,
  0x3002,
  0x4e00,
  0xd800,
  0xe000,
  0xfeff,
  0xff0c,
  0xff21,
  0xfffd,
  0x1f1e6,
  0x1f3fb,
  0x1f600,
  0xe0041,
  0x10ffff,
].map((code) => String.fromCodePoint(code));

/** Which of the samples lead into each state, a bit each. Samples that no class tells apart have one bit. */
function bitsOf(classes: readonly string[], flags: string): readonly bigint[] {
  const modes = flags.replaceAll(/[gymd]/gu, '');
  const named = classes.flatMap((raw) => Array.from(raw));
  const samples = [...new Set([...SAMPLES, ...named])];
  const distinct = [...new Set(classes)];
  const patterns = distinct.map((raw) => new RegExp(`^(?:${raw})$`, modes));
  const groups = new Map(samples.map((sample) => [patterns.map((each) => (each.test(sample) ? 1 : 0)).join(''), 0n]));
  const signatures = [...groups.keys()];
  const bits = distinct.map((_, at) =>
    signatures.reduce((all, signature, group) => (signature[at] === '1' ? all | (1n << BigInt(group)) : all), 0n),
  );
  return classes.map((raw) => bits[distinct.indexOf(raw)] ?? 0n);
}

/** The states that each state reaches. */
function reachIn(next: ExpressionAutomaton['next']): readonly ReadonlySet<number>[] {
  return next.map((ways) => {
    const reached = new Set(ways.keys());
    for (const state of reached) for (const target of next[state]?.keys() ?? []) reached.add(target);
    return reached;
  });
}

class Loops {
  private readonly bits: readonly bigint[];
  private readonly reach: readonly ReadonlySet<State>[];

  constructor(
    private readonly automaton: ExpressionAutomaton,
    flags: string,
  ) {
    this.bits = bitsOf(automaton.classes, flags);
    this.reach = reachIn(automaton.next);
  }

  areSlow(): boolean {
    const { classes, search, sure } = this.automaton;
    const loops = [...classes.keys()].filter((state) => this.isLoop(state, state));
    const ends = loops.filter((state) => !search.has(state) && !sure.has(state));
    return ends.some((q) => this.hasTwoWays(q) || loops.some((p) => p !== q && this.isCostly(p, q)));
  }

  private isLoop(p: State, q: State): boolean {
    return (this.reach[p]?.has(q) ?? false) && (this.reach[q]?.has(p) ?? false);
  }

  /** Two ways into a state of a loop double with every round. */
  private hasTwoWays(q: State): boolean {
    return this.automaton.next.some((ways, p) => (ways.get(q) ?? 0) > 1 && this.isLoop(p, q));
  }

  /** Whether one word leads from p to p, from p to q, and from q to q. */
  private isCostly(p: State, q: State): boolean {
    if (this.reach[p]?.has(q) !== true) return false;
    const goal = [p, q, q].join();
    const reached = new Map([[[p, p, q].join(), [p, p, q] as const]]);
    for (const [a, b, c] of reached.values()) {
      for (const [x, y, z] of this.steps(a, b, c)) {
        if (!this.isLoop(x, p) || this.reach[y]?.has(q) !== true || !this.isLoop(z, q)) continue;
        if (this.automaton.sure.has(z)) continue;
        const key = [x, y, z].join();
        if (key === goal) return true;
        reached.set(key, [x, y, z]);
      }
    }
    return false;
  }

  /** The triples of states to which one character leads from all three. */
  private *steps(a: State, b: State, c: State): Generator<readonly [State, State, State]> {
    const { next } = this.automaton;
    for (const x of next[a]?.keys() ?? []) {
      for (const y of next[b]?.keys() ?? []) {
        const both = this.bitsAt(x) & this.bitsAt(y);
        if (both === 0n) continue;
        for (const z of next[c]?.keys() ?? []) if ((both & this.bitsAt(z)) !== 0n) yield [x, y, z];
      }
    }
  }

  private bitsAt(state: State): bigint {
    return this.bits[state] ?? 0n;
  }
}

export const isSuperLinear = (source: string, flags: string): boolean =>
  new Loops(new ExpressionAutomaton(source, flags), flags).areSlow();
