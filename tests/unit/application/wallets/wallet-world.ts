import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { isScriptedSignature } from '../../infrastructure/support/scripted-wallets.ts';
import { TestWorld } from '../world.ts';

/** A world whose tabs have the real adapter over a window. */
export class WalletWorld extends TestWorld {
  constructor(private readonly window: Window) {
    super();
    this.server.verifySignature = ({ address }, challenge, signature) =>
      isScriptedSignature(signature, challenge, address);
  }

  override tab(href?: string): FakeTab {
    return { ...super.tab(href), wallet: new InjectedWallets(this.window, this.clock) } as unknown as FakeTab;
  }

  /** As `settle`, for wallets that take a few turns of the real world. */
  async settleAll(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => void setTimeout(resolve, 1));
      await this.settle();
    }
  }
}
