import type { RefObject } from 'react';
import { EmailHint } from './EmailHint.tsx';
import { MissingNote } from './MissingNote.tsx';

/** What the email form shows only when it is needed, above its button. */
export const EmailHelp = ({ field }: { readonly field: RefObject<HTMLInputElement | null> }) => (
  <>
    <EmailHint field={field} />
    <MissingNote />
  </>
);
