import { useEffect } from 'react';
import { OAUTH_PROVIDERS, type OAuthProvider } from '../../../domain/oauth-providers.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** Who denied the login at a provider hears so, calmly: nothing went wrong. The ways to log in stand below. */
export function DeclinedAt({ provider }: { readonly provider: OAuthProvider }) {
  const { announce, t } = useWidget();
  const text = t('oauth.declined', { provider: OAUTH_PROVIDERS[provider] });
  useEffect(() => announce(text), [announce, text]);
  return <p data-part="text">{text}</p>;
}
