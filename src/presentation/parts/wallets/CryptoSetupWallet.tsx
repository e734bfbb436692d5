import { NEW_WALLETS } from './new-wallets.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { WALLETS } from '#domain/wallets/wallets.ts';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { WalletMark } from './WalletMark.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function CryptoSetupWallet() {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('cryptoSetup.title')} onBack={() => model.send({ type: 'back' })}>
      <p data-part="text">{t('cryptoSetup.text')}</p>
      <ul data-part="group">
        {NEW_WALLETS.map(({ wallet, url }) => (
          <li key={wallet}>
            <a
              data-part="button"
              data-look="secondary"
              href={safeUrl(url) ?? undefined}
              target="_blank"
              rel="noopener noreferrer"
            >
              <WalletMark wallet={wallet} />
              <span>{t('cryptoSetup.download', { wallet: WALLETS[wallet].name })}</span>
            </a>
          </li>
        ))}
      </ul>
    </ScreenFrame>
  );
}
