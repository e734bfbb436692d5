import type { WalletKind } from '#domain/wallets/wallets.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { cryptoWallets } from '#application/api/index.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

export const CRYPTO: LoginConfig = { products: ['crypto'], sessionOptions: { sessionDurationMinutes: 45 } };

/** A login widget with wallets, the ways to choose one, and what the server was asked. */
export async function open(config: LoginConfig = CRYPTO, world = new TestWorld()) {
  const opened = openLogin(config, { world });
  await world.settle();
  const choose = (wallet: WalletKind): void => opened.store.send({ type: 'wallet/chosen', wallet });
  const sent = () => ({
    starts: world.transport.requestsTo(cryptoWallets.authenticateStartPrimary),
    finishes: world.transport.requestsTo(cryptoWallets.authenticate),
  });
  return { ...opened, choose, sent, wallet: opened.ports.wallet };
}
