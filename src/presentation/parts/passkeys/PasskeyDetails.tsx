import { ago } from './elapsed.ts';
import { providerOf } from '#domain/rules/passkey-provider.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import { agentNames } from '#domain/sessions/user-agent.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';

/** The provider that stores the passkey, else the browser and system that created it; null if the passkey's name is the same. */
function keeperOf({ aaguid, model, user_agent, name }: WebauthnRegistration): string | null {
  const { browser, system } = agentNames(user_agent);
  const keeper = model ?? providerOf(aaguid) ?? [browser, system].filter((part) => part !== null).join(', ');
  // If the provider is unknown, the passkey's first name consists of the same two names.
  const isNamed = keeper === name || [browser, system].every((part) => part !== null && name.includes(part));
  return keeper === '' || isNamed ? null : keeper;
}

/** Whether it is on one device or synced, if the authenticator reported it. */
function reachOf({ backup_eligible: eligible, backed_up: synced }: WebauthnRegistration, t: WidgetTools['t']) {
  if (eligible === false) return t('passkeys.oneDevice');
  return typeof synced === 'boolean' ? t(synced ? 'passkeys.synced' : 'passkeys.unsynced') : null;
}

const timeOf = (text: string | null | undefined): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

/** One line of the details; nothing when both parts are unknown. */
function Line({ first, second }: { readonly first: string | null; readonly second: string | null }) {
  if (!first && !second) return null;
  return (
    <small data-part="passkey-details">
      {first && (
        <span>
          <bdi>{first}</bdi>
        </span>
      )}
      {second && (
        <span>
          <bdi>{second}</bdi>
        </span>
      )}
    </small>
  );
}

/** The server's details of a passkey: its provider, its sync state, and the times of its creation and last use. */
export function PasskeyDetails({ passkey }: { readonly passkey: WebauthnRegistration }) {
  const { model, t, language } = useWidget();
  const created = timeOf(passkey.created_at);
  const used = timeOf(passkey.last_used_at);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const when = Number.isNaN(used) ? null : ago(used, model.clock.now(), language);
  // If a server did not record uses when the passkey was registered, it did not record its backup state either.
  const isUnused = passkey.last_used_at === null && typeof passkey.backed_up === 'boolean';
  return (
    <>
      <Line first={keeperOf(passkey)} second={reachOf(passkey, t)} />
      <Line
        first={Number.isNaN(created) ? null : t('passkeys.created', { date: date.format(created) })}
        second={when !== null ? t('passkeys.used', { when }) : isUnused ? t('passkeys.unused') : null}
      />
    </>
  );
}
