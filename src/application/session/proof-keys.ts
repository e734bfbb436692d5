import { parseJson } from '../../domain/json.ts';
import { challengeFrom, isProofKeyPair, verifierFrom, VERIFIER_WORDS, type ProofKeyPair } from '../../domain/pkce.ts';
import type { CryptoPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';

/** Flows that begin here and may end after a redirect; each has a pair of its own. */
export type ProofKeyFlow = 'magic_links' | 'password_resets' | 'oauth';

/** The proof key pairs of flows under way, one a flow (specification, section 3; RFC 7636). */
export class ProofKeys {
  constructor(
    private readonly storage: StoragePort,
    private readonly crypto: CryptoPort,
    private readonly keys: ClientKeys,
  ) {}

  /**
   * The challenge that a flow begins with, or undefined where none is required. A flow that begins without one leaves no
   * older flow's pair behind: its verifier would be sent at the end, and refused.
   */
  async challengeFor(flow: ProofKeyFlow, required: boolean): Promise<string | undefined> {
    if (required) return this.start(flow);
    this.clear(flow);
    return undefined;
  }

  /** Makes a new pair in place of the flow's last and answers its challenge. */
  private async start(flow: ProofKeyFlow): Promise<string> {
    const code_verifier = verifierFrom(this.crypto.words(VERIFIER_WORDS));
    const pair = { code_verifier, code_challenge: challengeFrom(await this.crypto.sha256(code_verifier)) };
    this.storage.set(this.key(flow), JSON.stringify(pair));
    return pair.code_challenge;
  }

  /** The pair of the flow that began in this browser, or null. */
  current(flow: ProofKeyFlow): ProofKeyPair | null {
    const text = this.storage.get(this.key(flow));
    const pair = text === null ? null : parseJson(text);
    return isProofKeyPair(pair) ? pair : null;
  }

  clear(flow: ProofKeyFlow): void {
    this.storage.remove(this.key(flow));
  }

  private key(flow: ProofKeyFlow): string {
    return this.keys.storage(`pkce_${flow}`);
  }
}
