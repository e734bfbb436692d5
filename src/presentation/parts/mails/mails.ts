import { mailServiceOf } from './mail-services.ts';
import css from '../../theme/parts/mails.css?inline';
import type { Parts } from '../parts.ts';
import { EmailHint } from './EmailHint.tsx';
import { MailMark } from './MailMark.tsx';

/** What knows the mail services: the hint to a mistyped domain, and the mailbox of an address. It loads when somebody types. */
export const part: Parts['mails'] = { texts: {}, styles: [css], screens: {}, EmailHint, mailServiceOf, MailMark };
