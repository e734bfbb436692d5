import { mailServiceOf } from './mail-services.ts';
import css from '../../theme/parts/mails.css?inline';
import type { Parts } from '../parts.ts';
import { EmailHint } from './EmailHint.tsx';
import { MailMark } from './MailMark.tsx';

/**
 * The code with the table of mail services: the hint about a mistyped domain, and the mailbox of an address. It loads when the user
 * types.
 */
export const part: Parts['mails'] = { texts: {}, styles: [css], screens: {}, EmailHint, mailServiceOf, MailMark };
