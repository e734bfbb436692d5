import { useMemo, useRef } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { languageChoice } from '../../messages/language.ts';
import { useAccountTexts } from '../../messages/account-texts.ts';
import { makeTranslate, type StringOverrides } from '../../messages/catalogue.ts';
import type { Elements } from '../../elements.ts';

interface Props {
  readonly language?: string | undefined;
  readonly strings?: StringOverrides | undefined;
  readonly onClose: () => void;
  readonly children: Elements;
}

const SILENT = (): void => undefined;

/** A modal dialog around the account page. The browser keeps the focus inside, closes it with Escape and returns the focus. */
export function AccountDialog({ language: languageOption, strings: own, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = useMemo(() => languageChoice(SILENT), []);
  const language = choose(languageOption) ?? 'en';
  const translated = useAccountTexts(language);
  const t = useMemo(() => makeTranslate({ ...translated, ...own }), [translated, own]);
  useBeforePaint(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} data-portico-dialog="" aria-label={t('user.manage')} onClose={onClose}>
      <div data-portico="" data-portico-close="" lang={language}>
        <button type="button" data-part="close" aria-label={t('user.close')} onClick={() => dialog.current?.close()}>
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="m6 6 12 12m0-12L6 18" />
          </svg>
        </button>
      </div>
      {children}
    </dialog>
  );
}
