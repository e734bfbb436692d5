import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import type { User } from '#domain/users/user.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Action } from './controls.tsx';
import { Question } from './Question.tsx';
import { Section, type SectionProps } from './Section.tsx';

interface LinkedAccount {
  readonly what: 'social' | 'wallet';
  readonly id: string;
  readonly name: string;
  /** Distinguishes two with the same name: a wallet's address. */
  readonly address?: string;
}

/** The common name of a provider. An unknown one is shown as the server wrote it. */
const providerName = (type: string): string =>
  new Map<string, string>(Object.entries(OAUTH_PROVIDERS)).get(type.toLowerCase()) ?? type;

function linkedAccounts({ providers, crypto_wallets: wallets }: User): readonly LinkedAccount[] {
  return [
    ...(providers ?? []).map(({ oauth_user_registration_id: id, provider_type }): LinkedAccount => ({
      what: 'social',
      id,
      name: providerName(provider_type),
    })),
    ...(wallets ?? []).map(({ crypto_wallet_id: id, crypto_wallet_type, crypto_wallet_address }): LinkedAccount => ({
      what: 'wallet',
      id,
      name: crypto_wallet_type,
      address: crypto_wallet_address,
    })),
  ];
}

/** The social logins and wallets of the user. Hidden if there are none, because they are added by signing in with them. */
export function LinkedAccounts({ page }: SectionProps) {
  const { model, t } = useWidget();
  const linked = linkedAccounts(page.user);
  if (linked.length === 0) return null;
  return (
    <Section name="linked" page={page}>
      <ul data-part="entries">
        {linked.map(({ what, id, name, address }) => (
          <li key={id}>
            <div data-part="entry">
              <div data-part="entry-text">
                <p>
                  <bdi>{name}</bdi>
                </p>
                {address !== undefined && (
                  <p data-part="details">
                    <bdi dir="ltr" translate="no">
                      {address}
                    </bdi>
                  </p>
                )}
              </div>
              <Action
                danger
                text={t('account.remove')}
                label={t('account.removeOf', { item: name })}
                opens={`remove ${id}`}
                onPress={() => model.send({ type: 'account/opened', task: { kind: 'remove', what, id } })}
              />
            </div>
            <Question page={page} what={what} id={id} item={name} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
