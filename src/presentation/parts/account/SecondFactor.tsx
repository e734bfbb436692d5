import type { AccountPage } from '#domain/account/account.ts';
import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import {
  factorsWith,
  type MfaFactor,
  type MfaSettings,
  type PendingRecovery,
  type TrustedDevice,
} from '#domain/sessions/mfa.ts';
import type { User } from '#domain/users/user.ts';
import { Button } from '../../components/Button.tsx';
import { useTime } from '../../hooks/useTime.ts';
import { useBootstrap, useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { Message } from '../login/Message.tsx';
import { browserName } from './browser-name.ts';
import { Action } from './controls.tsx';
import { ListState } from './ListState.tsx';
import { useRowFocus } from './row-focus.ts';
import { Section, type SectionProps } from './Section.tsx';
import { When } from './When.tsx';

/**
 * The user's second factors, the browsers that need none, and a pending recovery. Hidden if logins need one factor, unless a recovery is
 * pending.
 */
export function SecondFactor({ page }: SectionProps) {
  const { t } = useWidget();
  const { mfa } = useBootstrap();
  const { devices, recoveries } = page;
  const waiting = recoveries.status === 'known' ? recoveries.items : [];
  const rows = useRowFocus(`${waiting.length} ${devices.status === 'known' ? devices.items.length : 0}`);
  const isNews = page.news?.what === 'recoveryStopped';
  if (mfa === null && waiting.length === 0 && !isNews) return null;
  return (
    <Section name="secondFactor" page={page}>
      <div {...rows} data-part="stack">
        {waiting.map((recovery) => (
          <Recovery key={recovery.recovery_id} page={page} recovery={recovery} />
        ))}
        {mfa !== null && <p data-part="text">{summaryOf(page.user, mfa, t)}</p>}
        {mfa !== null && mfa.trusted_device_days !== null && (
          <>
            <h3 data-part="subtitle">{t('account.devices.title')}</h3>
            <ListState list={devices} title={t('account.devices.title')} />
            {devices.status === 'known' && <Devices page={page} devices={devices.items} />}
          </>
        )}
      </div>
    </Section>
  );
}

const NAMES = {
  webauthn: 'account.passkeys.title',
  totp: 'account.totp.title',
  recovery_code: 'account.codes.title',
} as const satisfies Readonly<Record<Exclude<MfaFactor, PhoneMethod>, MessageKey>>;

/** The accepted factors that the user has. */
function summaryOf(user: User, { factors }: MfaSettings, t: WidgetTools['t']): string {
  const hasApp = (user.totps ?? []).some(({ verified }) => verified);
  const hasPhone = (user.phone_numbers ?? []).some(({ verified }) => verified);
  const has = factorsWith({
    passkey: (user.webauthn_registrations ?? []).length > 0,
    app: hasApp,
    phone: hasPhone,
  });
  const names = factors
    .filter((factor) => has.includes(factor))
    .map((factor) => t(isPhoneMethod(factor) ? 'account.phones.title' : NAMES[factor]));
  if (names.length === 0) return t('account.secondFactor.none');
  return t('account.secondFactor.has', { factors: [...new Set(names)].join(' · ') });
}

function Recovery({ page, recovery }: { readonly page: AccountPage; readonly recovery: PendingRecovery }) {
  const { model, t } = useWidget();
  const at = useTime('full');
  const { recovery_id: id, available_at } = recovery;
  return (
    <div data-part="task" data-state="warning">
      <p data-part="text">
        <Message id="account.recovery.text" values={{ time: at(available_at) }} />
      </p>
      <div data-part="choices">
        <Button
          look="danger"
          busy={page.at === 'working' && page.doing.kind === 'remove' && page.doing.what === 'recovery'}
          onPress={() => model.send({ type: 'account/asked', change: { kind: 'remove', what: 'recovery', id } })}
        >
          {t('account.recovery.stop')}
        </Button>
      </div>
    </div>
  );
}

interface DevicesProps {
  readonly page: AccountPage;
  readonly devices: readonly TrustedDevice[];
}

/** The browsers in which a login needs only one factor. */
function Devices({ page, devices }: DevicesProps) {
  const { model, t } = useWidget();
  const at = useTime('medium');
  if (devices.length === 0) return <p data-part="text">{t('account.devices.none')}</p>;
  const removing = page.at === 'working' && page.doing.kind === 'remove' ? page.doing.id : null;
  return (
    <ul data-part="entries">
      {devices.map(({ device_id: id, user_agent, ip_address: address, created_at, last_used_at }) => {
        const name = browserName(user_agent, t);
        return (
          <li key={id}>
            <div data-part="entry">
              <div data-part="entry-text">
                <p>{name}</p>
                <p data-part="facts">
                  <When id="account.sessions.used" time={last_used_at} />
                  <span>{t('account.devices.since', { time: at(created_at) })}</span>
                  {address !== '' && (
                    <span>
                      <bdi dir="ltr">{address}</bdi>
                    </span>
                  )}
                </p>
              </div>
              <Action
                danger
                text={t('account.devices.remove')}
                label={t('account.devices.removeOf', { item: name })}
                busy={removing === id}
                onPress={() => model.send({ type: 'account/asked', change: { kind: 'remove', what: 'device', id } })}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
