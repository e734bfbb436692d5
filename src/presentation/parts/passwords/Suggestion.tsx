import { useCallback, useRef, useState } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { codeLoad } from '#domain/code-loads.ts';
import { passphrase } from './passphrase.ts';
import type { LudsPolicy } from '#domain/passwords/password-strength.ts';
import { Button } from '../../components/Button.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { useCopy } from '../../hooks/useCopy.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  /** The kinds of characters that the project requires, if it does. */
  readonly policy: LudsPolicy | null;
  /** A request is in progress. */
  readonly off: boolean;
  readonly onUse: (phrase: string) => void;
}

const randomNumber = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/**
 * Suggests a passphrase. It is only in the text of its element, like a typed password in its field: in no state, no attribute and no
 * event. It is removed with the suggestion.
 */
export function Suggestion({ policy, off, onUse }: Props) {
  const { t } = useWidget();
  /** The words; null while the suggestion is closed, `loading` or `failed` while the word list is not available. */
  const [words, setWords] = useState<readonly string[] | 'loading' | 'failed' | null>(null);
  const load = (): void => {
    setWords('loading');
    codeLoad(import('./passphrase-words.ts')).then(
      ({ PASSPHRASE_WORDS }) => setWords(PASSPHRASE_WORDS),
      () => setWords('failed'),
    );
  };
  if (words === null || typeof words === 'string') {
    return (
      <div data-part="suggest">
        <span role="alert">
          {words === 'failed' && (navigator.onLine ? <Unloaded t={t} /> : <span>{t('passphrase.failed')}</span>)}
        </span>
        <Button look="link" busy={words === 'loading'} off={off} onPress={load}>
          {t('passphrase.suggest')}
        </Button>
      </div>
    );
  }
  return (
    <Suggested
      {...{ words, policy, off }}
      onUse={(phrase) => {
        setWords(null);
        onUse(phrase);
      }}
    />
  );
}

function Suggested({ words, policy, off, onUse }: Props & { readonly words: readonly string[] }) {
  const { t } = useWidget();
  /** The number of phrases after the first one. */
  const [turn, setTurn] = useState(0);
  const group = useRef<HTMLFieldSetElement>(null);
  const phrase = useRef<HTMLElement>(null);
  const id = useOwnId();
  const renew = useCallback(() => {
    if (phrase.current) phrase.current.textContent = passphrase(words, randomNumber, policy);
  }, [words, policy]);
  useBeforePaint(renew, [renew]);
  useBeforePaint(() => {
    group.current?.focus();
    const element = phrase.current;
    return () => element?.replaceChildren();
  }, []);
  const read = (): string => phrase.current?.textContent ?? '';
  return (
    <fieldset
      ref={group}
      data-part="suggestion"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-phrase`}
    >
      <p id={`${id}-title`} data-part="label">
        {t('passphrase.title')}
      </p>
      <code ref={phrase} id={`${id}-phrase`} data-part="phrase" dir="ltr" translate="no" aria-live="polite" />
      <p>{t('passphrase.why')}</p>
      <Button look="secondary" off={off} onPress={() => onUse(read())}>
        {t('passphrase.use')}
      </Button>
      <div data-part="suggestion-links">
        <Button
          look="link"
          off={off}
          onPress={() => {
            renew();
            setTurn(turn + 1);
          }}
        >
          {t('passphrase.another')}
        </Button>
        <Copy key={turn} read={read} />
      </div>
    </fieldset>
  );
}

/** Shows 'Copied' for this phrase only: the next one gets a separate button. */
function Copy({ read }: { readonly read: () => string }) {
  const { t } = useWidget();
  const [copied, copy] = useCopy(t('passphrase.copied'));
  return (
    <Button look="link" onPress={() => copy(read())}>
      {t(copied ? 'passphrase.copied' : 'passphrase.copy')}
    </Button>
  );
}
