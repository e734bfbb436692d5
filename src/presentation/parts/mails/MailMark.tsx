import { ProviderMark } from '../../main/ProviderMark.tsx';
import { MAIL_MARKS } from './mail-marks.ts';

/** The mark of a mail service, or an envelope if its owner does not allow the use of the mark. */
export function MailMark({ name }: { readonly name: string }) {
  const mark = MAIL_MARKS[name];
  if (mark !== undefined) return <ProviderMark {...mark} />;
  return (
    <svg data-icon="mail" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 5.5h18v13H3zm0 1 9 7 9-7" />
    </svg>
  );
}
