import { useEffect } from 'react';
import { OAUTH_PROVIDERS, type DeclinedLogin } from '#domain/social/oauth-providers.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** A neutral message that the login at a provider was denied or failed. The login methods show below it. */
export function DeclinedAt({ provider, reason }: DeclinedLogin) {
  const { announce, t } = useWidget();
  const text = t(reason === 'denied' ? 'oauth.declined' : 'oauth.failed', { provider: OAUTH_PROVIDERS[provider] });
  useEffect(() => announce(text), [announce, text]);
  return <p data-part="text">{text}</p>;
}
