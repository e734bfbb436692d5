import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isFirstUse, USED_PROOF, type GoodProof } from './proofs.ts';

/** The proof that a page sent with a request, if any. Each request uses it up once. */
export class RequestProof {
  private isUsed = false;

  constructor(private readonly proof: GoodProof | null) {}

  /** The thumbprint of its key; null without a proof. */
  get key(): string | null {
    return this.proof?.jkt ?? null;
  }

  /** Uses it up, no matter how the request ends. Not for use within a transaction. */
  async use(db: Db): Promise<void> {
    await this.useIn(db);
    this.isUsed = true;
  }

  /** Uses it up within the transaction, which may be repeated, unless the request has used it before. */
  async useIn(tx: Db): Promise<void> {
    if (this.proof === null || this.isUsed) return;
    if (!(await isFirstUse(tx, this.proof))) throw new Refusal('invalid_dpop_proof', USED_PROOF);
  }
}
