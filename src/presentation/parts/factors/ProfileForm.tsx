import { useRef, type SyntheticEvent } from 'react';
import { safeUrl } from '#domain/safe-url.ts';
import { termsControl, textIn, type ProfileStep, type ProfileTerms } from '#domain/sessions/profile.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { ProfileFields } from '../profile/ProfileFields.tsx';
import { useProfileEntry, type Problem } from '../profile/profile-entry.ts';
import { FormFrame, type FormProps } from './FormFrame.tsx';

/** What the project asks of its users: fields to fill in, and terms to accept. */
export function ProfileForm({ flow }: FormProps) {
  const { profile } = flow.step;
  return profile === undefined ? null : <Entry key={profile.user_id} flow={flow} profile={profile} />;
}

function Entry({ flow, profile }: FormProps & { readonly profile: ProfileStep }) {
  const { model, t } = useWidget();
  const id = useOwnId();
  const isBusy = flow.at === 'working';
  const form = useRef<HTMLFormElement>(null);
  const entry = useProfileEntry(form, profile, flow.error, () => model.send({ type: 'factor/edited' }));
  const { otherError } = entry;
  const kind = profile.fields.length === 0 ? 'factor.profile.terms' : 'factor.profile';
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const filled = entry.read()?.filter(([, value]) => value !== '');
    if (filled === undefined) return;
    const fields = Object.fromEntries(filled.map(([{ field }, value]) => [field, value]));
    const terms = Object.fromEntries(profile.terms.map(({ terms_id, version }) => [terms_id, version]));
    model.send({ type: 'factor/asked', request: { kind: 'profile', user_id: profile.user_id, fields, terms } });
  };
  return (
    <FormFrame flow={flow} title={t(`${kind}.title`)}>
      <p data-part="text">{t(`${kind}.text`)}</p>
      <form ref={form} data-part="form" noValidate onSubmit={send}>
        <ProfileFields
          texts="factor.profile"
          fields={profile.fields}
          entry={entry}
          isBusy={isBusy}
          valueOf={({ value }) => value}
        />
        {profile.terms.map((terms) => (
          <TermsRow
            key={`${terms.terms_id} ${terms.version}`}
            id={`${id}-${termsControl(terms)}`}
            terms={terms}
            problem={entry.problemOf(termsControl(terms))}
            onEdit={entry.edited}
          />
        ))}
        <p data-part="field-error" role="alert">
          {otherError !== null && <ErrorText error={otherError} />}
        </p>
        <Button look="primary" type="submit" busy={isBusy}>
          {t('factor.continue')}
        </Button>
      </form>
    </FormFrame>
  );
}

interface TermsProps {
  readonly id: string;
  readonly terms: ProfileTerms;
  readonly problem: Problem | null;
  readonly onEdit: (control: string) => void;
}

const TERMS_TEXTS = { required: 'factor.profile.mustAccept', refused: 'factor.profile.changed' } as const;

/** A box for the acceptance, and a link to the text, which opens beside the login. */
function TermsRow({ id, terms, problem, onEdit }: TermsProps) {
  const { t, language } = useWidget();
  const name = termsControl(terms);
  const title = textIn(terms.title, language);
  const url = safeUrl(terms.url);
  return (
    <>
      <div data-part="trust">
        <input
          id={id}
          name={name}
          type="checkbox"
          required
          aria-invalid={problem !== null}
          aria-describedby={`${id}-error`}
          onChange={() => onEdit(name)}
        />
        <label htmlFor={id}>
          <Message id="factor.profile.accept" values={{ terms: title }} />
        </label>
        {url !== null && (
          <p data-part="details">
            <a href={url} target="_blank" rel="noopener noreferrer">
              <Message id="factor.profile.read" values={{ terms: title }} />
            </a>
          </p>
        )}
      </div>
      <p data-part="field-error" id={`${id}-error`}>
        {problem && <span>{t(TERMS_TEXTS[problem])}</span>}
      </p>
    </>
  );
}
