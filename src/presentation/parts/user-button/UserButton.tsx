import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { codeLoad } from '#domain/code-loads.ts';
import { isUnloaded } from '#domain/errors.ts';
import { directionOf } from '#domain/widget/language.ts';
import { personOf, type UserSummary } from '../person.ts';
import { safeImageUrl } from '#domain/safe-url.ts';
import { PRESET_NAMES, type StyleConfig } from '#domain/widget/theme.ts';
import type { User } from '#domain/users/user.ts';
import { Unloaded } from '../../components/Unloaded.tsx';
import { onEscape } from '../../hooks/escape.ts';
import { useAccountTexts } from '../../messages/account-texts.ts';
import { addTexts, makeTranslate, type StringOverrides } from '../../messages/catalogue.ts';
import { userButton as texts } from '../../messages/en/user-button.ts';
import { languageChoice } from '../../messages/language.ts';
import { applyTheme } from '../../theme/apply-theme.ts';
import css from '../../theme/parts/user-button.css?inline';
import { addStyles, followRoot } from '../../theme/stylesheet.ts';

addTexts(texts);
addStyles(css);

/** The space between the menu and the edge of the page. */
const EDGE_PX = 8;

/** Moves the menu of a button near the edge of the page sideways, so that it is completely visible. */
function keepInPage(menu: HTMLElement | null | undefined): void {
  if (!menu) return;
  const { left, right } = menu.getBoundingClientRect();
  const most = menu.ownerDocument.documentElement.clientWidth - EDGE_PX;
  const shift = left < EDGE_PX ? EDGE_PX - left : Math.min(0, most - right);
  if (shift !== 0) menu.style.setProperty('--p-shift', `${shift}px`);
}

interface Props {
  readonly user: User;
  readonly styles?: StyleConfig | undefined;
  readonly strings?: StringOverrides | undefined;
  readonly language?: string | undefined;
  readonly warn: (message: string) => void;
  /** Opens the account page: a function, or the URL of a page. Null removes the item from the menu. */
  readonly manage: (() => void) | string | null;
  readonly signOut: () => Promise<unknown>;
}

/** The picture or initials of the signed-in user, with a menu (WAI-ARIA menu button pattern). */
export function UserButton({ user, styles, strings: own, language: languageOption, warn, manage, signOut }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The missing preset that the developer was warned about. */
  const warnedPreset = useRef<string>(null);
  const [open, setOpen] = useState(false);
  const [moves, setMoves] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState<'unloaded' | 'refused' | null>(null);
  const [id] = useState(() => `p${Math.random()}`);
  const choose = useMemo(() => languageChoice(warn), [warn]);
  const language = choose(languageOption) ?? 'en';
  const translated = useAccountTexts(language);
  const isReady = translated !== null;
  const t = useMemo(() => makeTranslate({ ...translated, ...own }), [translated, own]);
  const person = personOf(user);

  useEffect(() => {
    const element = root.current;
    return element === null ? undefined : followRoot(element, element, () => setMoves((count) => count + 1));
  }, [isReady]);
  useEffect(() => {
    const place = root.current?.parentElement;
    let isGone = false;
    const preset: unknown = styles?.preset;
    const apply = (): void => {
      if (!place || isGone) return;
      applyTheme(place, styles, warn, apply);
      if (typeof preset !== 'string' || place.hasAttribute('data-portico-preset') || warnedPreset.current === preset)
        return;
      warnedPreset.current = preset;
      codeLoad(import('../../theme/explain-preset.ts'))
        .then(({ explainPreset }) => explainPreset(preset, PRESET_NAMES, warn))
        .catch(() => undefined);
    };
    apply();
    return () => {
      isGone = true;
    };
  }, [styles, warn, moves, isReady]);

  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useBeforePaint(() => {
    if (!open) return undefined;
    items()[0]?.focus();
    const element = root.current;
    const page = element?.ownerDocument;
    keepInPage(element?.querySelector<HTMLElement>('[data-part=menu]'));
    let isPressOwn = false;
    const isOwn = (event: Event): boolean => element !== null && event.composedPath().includes(element);
    // A selection of the name in the menu can end outside of it.
    const begin = (event: Event): void => {
      isPressOwn = isOwn(event);
    };
    const end = (event: Event): void => {
      if (!isPressOwn && !isOwn(event)) setOpen(false);
    };
    page?.addEventListener('pointerdown', begin);
    page?.addEventListener('pointerup', end);
    return () => {
      page?.removeEventListener('pointerdown', begin);
      page?.removeEventListener('pointerup', end);
    };
  }, [open]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return setOpen(false);
    onEscape(event, close);
    const all = items();
    const focused = all.findIndex((item) => item === (item.getRootNode() as Document | ShadowRoot).activeElement);
    const next = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return undefined;
    event.preventDefault();
    return all.at(next % all.length)?.focus();
  };
  const onSignOut = async (): Promise<void> => {
    if (leaving) return;
    setLeaving(true);
    setFailed(null);
    try {
      await signOut();
    } catch (error) {
      setFailed(isUnloaded(error) ? 'unloaded' : 'refused');
      setLeaving(false);
    }
  };

  if (translated === null) return null;
  return (
    <div ref={root} data-portico="" data-portico-user="" lang={language} dir={directionOf(language)}>
      <button
        ref={button}
        type="button"
        data-part="avatar"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? `${id}-menu` : undefined}
        aria-label={person.label === '' ? t('user.openUnnamed') : t('user.open', { name: person.label })}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Face person={person} />
      </button>
      {open && (
        <div data-part="menu">
          {person.label !== '' && (
            <p data-part="who">
              <strong>
                <bdi>{person.label}</bdi>
              </strong>
              {person.detail !== '' && <bdi>{person.detail}</bdi>}
            </p>
          )}
          {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus */}
          <div id={`${id}-menu`} role="menu" aria-label={t('user.openUnnamed')} onKeyDown={onKeyDown}>
            {typeof manage === 'string' && (
              <a role="menuitem" data-part="item" tabIndex={-1} href={manage}>
                {t('user.manage')}
              </a>
            )}
            {typeof manage === 'function' && (
              <button
                type="button"
                role="menuitem"
                data-part="item"
                tabIndex={-1}
                onClick={() => {
                  close();
                  manage();
                }}
              >
                {t('user.manage')}
              </button>
            )}
            <button
              type="button"
              role="menuitem"
              data-part="item"
              tabIndex={-1}
              aria-disabled={leaving}
              onClick={() => void onSignOut()}
            >
              {t('user.signOut')}
            </button>
          </div>
          <p data-part="trouble" role="alert">
            {failed === 'unloaded' ? <Unloaded t={t} /> : failed !== null && <span>{t('user.failed')}</span>}
          </p>
        </div>
      )}
    </div>
  );
}

function Face({ person: { picture, initials } }: { readonly person: UserSummary }) {
  const [broken, setBroken] = useState<string | null>(null);
  const safe = picture === null ? null : safeImageUrl(picture);
  if (safe !== null && safe !== broken) {
    return <img src={safe} alt="" referrerPolicy="no-referrer" onError={() => setBroken(safe)} />;
  }
  if (initials !== '') return <span aria-hidden="true">{initials}</span>;
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-8 9c0-4 3.6-6 8-6s8 2 8 6" />
    </svg>
  );
}
