import {
  beganWithoutChallenge,
  challengeFrom,
  formatPairs,
  mentionsPkce,
  parsePairs,
  verifierFrom,
  VERIFIER_WORDS,
  withLast,
  withoutVerifier,
  type KeptPairs,
  type ProofKeyPair,
} from '../../domain/pkce.ts';
import type { ClockPort, CryptoPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';

/** Flows that begin here and may end after a redirect; each kind has pairs of its own. */
export type ProofKeyFlow = 'magic_links' | 'password_resets' | 'oauth';

interface Verifier {
  readonly flow: ProofKeyFlow;
  /** Undefined for a flow that began without a pair. */
  readonly code_verifier: string | undefined;
}

/** The proof key pairs of flows under way, the last few of each kind (specification, section 3; RFC 7636). */
export class ProofKeys {
  constructor(
    private readonly storage: StoragePort,
    private readonly crypto: CryptoPort,
    private readonly clock: ClockPort,
    private readonly keys: ClientKeys,
  ) {}

  /** The challenge that a flow begins with, or undefined where none is required. Flows that began before may still end. */
  async challengeFor(flow: ProofKeyFlow, required: boolean): Promise<string | undefined> {
    const begun = required ? await this.pair() : null;
    this.keep(flow, withLast(this.kept(flow), begun, this.clock.now()));
    return begun?.code_challenge;
  }

  /** True when a flow of this kind that began here with a pair may still end. */
  isKnown(flow: ProofKeyFlow): boolean {
    return this.verifiers([flow]).some(({ code_verifier }) => code_verifier !== undefined);
  }

  /**
   * Ends a flow of one of the kinds: sends the verifier of the one that began last, and while the server objects to it as a
   * proof key, those before. The reply to a mail or a redirect does not say which of them it belongs to. A pair is gone
   * once it was used.
   *
   * The verifier of the newest pair goes first. A server that uses up a token at a wrong verifier therefore refuses no
   * login that it would accept from a client that keeps one pair.
   *
   * @param flows the kinds, the one that is tried first in front; of the last one, also a flow without a pair may end
   */
  async redeem<Reply>(
    flows: readonly ProofKeyFlow[],
    send: (code_verifier: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    let left = this.verifiers(flows);
    for (;;) {
      const [{ flow, code_verifier } = NO_VERIFIER, ...others] = left;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other: the right one spends the token
        const reply = await send(code_verifier);
        if (code_verifier !== undefined) this.keep(flow, withoutVerifier(this.kept(flow), code_verifier));
        return reply;
      } catch (error) {
        left = code_verifier !== undefined && beganWithoutChallenge(error) ? [NO_VERIFIER] : others;
        if (left.length === 0 || !mentionsPkce(error)) throw error;
      }
    }
  }

  private verifiers(flows: readonly ProofKeyFlow[]): readonly Verifier[] {
    const kept = flows.map((flow) => ({ flow, ...this.kept(flow) }));
    const last = kept
      .map(({ flow, last: pair }) => ({ flow, code_verifier: pair?.code_verifier }))
      .filter(({ code_verifier }, index) => code_verifier !== undefined || index === flows.length - 1);
    const earlier = kept.flatMap(({ flow, earlier: pairs }) =>
      pairs.map(({ code_verifier }) => ({ flow, code_verifier })),
    );
    return [...last, ...earlier];
  }

  private async pair(): Promise<ProofKeyPair> {
    const code_verifier = verifierFrom(this.crypto.words(VERIFIER_WORDS));
    return { code_verifier, code_challenge: challengeFrom(await this.crypto.sha256(code_verifier)) };
  }

  private kept(flow: ProofKeyFlow): KeptPairs {
    return parsePairs(this.storage.get(this.key(flow)), this.clock.now());
  }

  private keep(flow: ProofKeyFlow, kept: KeptPairs): void {
    const text = formatPairs(kept);
    if (text === null) this.storage.remove(this.key(flow));
    else this.storage.set(this.key(flow), text);
  }

  private key(flow: ProofKeyFlow): string {
    return this.keys.storage(`pkce_${flow}`);
  }
}

const NO_VERIFIER: Verifier = { flow: 'magic_links', code_verifier: undefined };
