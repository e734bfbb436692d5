import { writtenEmail } from '#domain/contacts/international-domain.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** The address that was entered before, shown to the person and to password managers. */
export function KnownEmail({ email }: { readonly email: string }) {
  const { t } = useWidget();
  const id = useOwnId();
  return (
    <>
      <label data-part="label" htmlFor={id}>
        {t('password.email')}
      </label>
      <input
        id={id}
        data-part="input"
        data-state="known"
        type="email"
        name="email"
        dir="ltr"
        autoComplete="username"
        readOnly
        value={writtenEmail(email)}
      />
    </>
  );
}
