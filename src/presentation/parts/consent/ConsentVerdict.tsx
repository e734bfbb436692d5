import type { Consent } from '#domain/consent/consent.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Icon } from '../../components/Icon.tsx';
import { Message } from '../login/Message.tsx';

interface Props {
  readonly consent: Pick<Extract<Consent, { readonly status: 'consentRequired' }>, 'isVerified' | 'agent'>;
  readonly projectName: string;
}

/** Whether the project's operator vouches for the app or, for an app that no operator registered, where it comes from. */
export function ConsentVerdict({ consent: { isVerified, agent }, projectName }: Props) {
  const { t } = useWidget();
  if (agent === undefined && isVerified === null) return null;
  const isGood = agent === undefined && isVerified === true;
  return (
    <p data-part="verdict" data-state={isGood ? 'good' : 'open'}>
      <Icon name={isGood ? 'tick' : 'alert'} />
      <span>
        {agent === undefined && (
          <Message id={isGood ? 'consent.verified' : 'consent.unverified'} values={{ projectName }} />
        )}
        {agent?.host === null && <Message id="consent.agent.registered" values={{ projectName }} />}
        {typeof agent?.host === 'string' && (
          <Message id="consent.agent.document" values={{ projectName, host: agent.host }} />
        )}
        {agent?.isNew === true && <span>{` ${t('consent.agent.new')}`}</span>}
      </span>
    </p>
  );
}
