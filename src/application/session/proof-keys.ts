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
} from '#domain/links/pkce.ts';
import type { ClockPort, CryptoPort, StoragePort } from '../ports/index.ts';
import type { Endpoint } from '../api/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import { SharedCalls } from '../wire/shared-calls.ts';

/** The kinds of flows that may end after a redirect. Each kind has separate pairs. */
export type ProofKeyFlow = 'magic_links' | 'password_resets' | 'oauth';

interface Verifier {
  readonly flow: ProofKeyFlow;
  /** Undefined for a flow that began without a pair. */
  readonly code_verifier: string | undefined;
}

/** The proof key pairs of unfinished flows: the latest few of each kind (specification, section 3; RFC 7636). */
export class ProofKeys {
  private readonly shared = new SharedCalls();

  constructor(
    private readonly storage: StoragePort,
    private readonly crypto: CryptoPort,
    private readonly clock: ClockPort,
    private readonly keys: ClientKeys,
  ) {}

  /** Starts a flow and returns its challenge, or undefined when none is required. Earlier flows can still be finished. */
  async challengeFor(flow: ProofKeyFlow, required: boolean): Promise<string | undefined> {
    const pair = required ? await this.pair() : null;
    this.keep(flow, withLast(this.readPairs(flow), pair, this.clock.now()));
    return pair?.code_challenge;
  }

  /** True when this browser has a pair of an unfinished flow of this kind. */
  isKnown(flow: ProofKeyFlow): boolean {
    return this.verifiers([flow]).some(({ code_verifier }) => code_verifier !== undefined);
  }

  /**
   * Finishes a flow of one of the kinds. A link or redirect does not say which flow it belongs to. So the verifier of the latest flow is
   * sent first, then those of earlier flows as long as the server rejects the proof key. A used pair is removed.
   *
   * The newest pair is first because some servers use up a token at a wrong verifier. With such a server, this client can log in whenever a
   * client with a single pair could.
   *
   * @param flows the kinds, in the order of the attempts; a flow of the last kind may have no pair
   * @param call the call that finishes the flow
   * @param values its fields without the verifier
   */
  async redeem<Reply>(
    flows: readonly ProofKeyFlow[],
    call: Endpoint,
    values: object,
    send: (code_verifier: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    return this.shared.share(call, values, async () => this.tryAll(flows, send));
  }

  private async tryAll<Reply>(
    flows: readonly ProofKeyFlow[],
    send: (code_verifier: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    let candidates = this.verifiers(flows);
    for (;;) {
      const [{ flow, code_verifier } = NO_VERIFIER, ...others] = candidates;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other: the right one spends the token
        const reply = await send(code_verifier);
        if (code_verifier !== undefined) this.keep(flow, withoutVerifier(this.readPairs(flow), code_verifier));
        return reply;
      } catch (error) {
        candidates = code_verifier !== undefined && beganWithoutChallenge(error) ? [NO_VERIFIER] : others;
        if (candidates.length === 0 || !mentionsPkce(error)) throw error;
      }
    }
  }

  private verifiers(flows: readonly ProofKeyFlow[]): readonly Verifier[] {
    const flowPairs = flows.map((flow) => ({ flow, ...this.readPairs(flow) }));
    const last = flowPairs
      .map(({ flow, last: pair }) => ({ flow, code_verifier: pair?.code_verifier }))
      .filter(({ code_verifier }, index) => code_verifier !== undefined || index === flows.length - 1);
    const earlier = flowPairs.flatMap(({ flow, earlier: pairs }) =>
      pairs.map(({ code_verifier }) => ({ flow, code_verifier })),
    );
    return [...last, ...earlier];
  }

  private async pair(): Promise<ProofKeyPair> {
    const code_verifier = verifierFrom(this.crypto.words(VERIFIER_WORDS));
    return { code_verifier, code_challenge: challengeFrom(await this.crypto.sha256(code_verifier)) };
  }

  private readPairs(flow: ProofKeyFlow): KeptPairs {
    return parsePairs(this.storage.get(this.key(flow)), this.clock.now());
  }

  private keep(flow: ProofKeyFlow, pairs: KeptPairs): void {
    const text = formatPairs(pairs);
    if (text === null) this.storage.remove(this.key(flow));
    else this.storage.set(this.key(flow), text);
  }

  private key(flow: ProofKeyFlow): string {
    return this.keys.storage(`pkce_${flow}`);
  }
}

const NO_VERIFIER: Verifier = { flow: 'magic_links', code_verifier: undefined };
