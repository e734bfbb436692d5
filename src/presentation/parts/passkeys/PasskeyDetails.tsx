import { elapsed } from '../../../domain/elapsed.ts';
import { providerOf } from '../../../domain/passkey-provider.ts';
import type { WebauthnRegistration } from '../../../domain/user.ts';
import { agentNames } from '../../../domain/user-agent.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';

/** The provider that keeps the passkey, else the browser and system that created it; null when its name says the same. */
function keeperOf({ aaguid, user_agent, name }: WebauthnRegistration): string | null {
  const { browser, system } = agentNames(user_agent);
  const keeper = providerOf(aaguid) ?? [browser, system].filter((part) => part !== null).join(', ');
  // The first name of a passkey without a known provider is made of the same two names.
  const isNamed = keeper === name || [browser, system].every((part) => part !== null && name.includes(part));
  return keeper === '' || isNamed ? null : keeper;
}

/** Whether it is on one device or synced, as far as the authenticator told. */
function reachOf({ backup_eligible: eligible, backed_up: synced }: WebauthnRegistration, t: WidgetTools['t']) {
  if (eligible === false) return t('passkeys.oneDevice');
  return typeof synced === 'boolean' ? t(synced ? 'passkeys.synced' : 'passkeys.unsynced') : null;
}

const timeOf = (text: string | null | undefined): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

/** What the server tells of a passkey: what keeps it, whether it is synced, and when it was created and last used. */
export function PasskeyDetails({ passkey }: { readonly passkey: WebauthnRegistration }) {
  const { model, t, language } = useWidget();
  const created = timeOf(passkey.created_at);
  const used = timeOf(passkey.last_used_at);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  // A server that kept no uses when the passkey was registered has told nothing of its backup either.
  const isUnused = passkey.last_used_at === null && typeof passkey.backed_up === 'boolean';
  const lines = [
    [keeperOf(passkey), reachOf(passkey, t)],
    [
      Number.isNaN(created) ? null : t('passkeys.created', { date: date.format(created) }),
      Number.isNaN(used)
        ? isUnused && t('passkeys.unused')
        : t('passkeys.used', { when: ago.format(...elapsed(used, model.clock.now())) }),
    ],
  ];
  return lines.map((line, index) => {
    const parts = line.filter(Boolean);
    return (
      parts.length > 0 && (
        // oxlint-disable-next-line react/no-array-index-key -- two lines, each at its place
        <small key={index} data-part="passkey-details">
          {parts.map((part) => (
            <bdi key={String(part)}>{part}</bdi>
          ))}
        </small>
      )
    );
  });
}
