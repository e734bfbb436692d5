import { DEFAULTS, readChoices, writeChoices, type Choices } from './choices.ts';

/** The choices in the page's URL. All changes go through this module. */
export interface Address {
  readonly choices: Choices;
  /** The problem with the URL, if any. The choices are then the defaults. */
  readonly problem: string | null;
  /** `quietly` adds no history entry, for choices that change many times a second. */
  choose(next: Partial<Choices>, quietly?: boolean): void;
  /** Calls after every change, also by the browser's back and forward. */
  onChange(listener: (before: Choices) => void): void;
}

export function followAddress(): Address {
  const listeners: ((before: Choices) => void)[] = [];
  let now = read();
  const tell = (next: ReturnType<typeof read>) => {
    const before = now.choices;
    now = next;
    for (const listener of listeners) listener(before);
  };
  window.addEventListener('popstate', () => tell(read()));
  return {
    get choices() {
      return now.choices;
    },
    get problem() {
      return now.problem;
    },
    choose(next, quietly = false) {
      const choices = { ...now.choices, ...next };
      const url = `${location.pathname}${withBuild(writeChoices(choices))}`;
      if (url !== `${location.pathname}${location.search}`) {
        if (quietly) history.replaceState(null, '', url);
        else history.pushState(null, '', url);
      }
      tell({ choices, problem: null });
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The build is not a choice, because each build has its own page. */
function withBuild(search: string): string {
  const query = new URLSearchParams(search);
  const build = new URLSearchParams(location.search).get('build');
  if (build !== null) query.set('build', build);
  return query.size > 0 ? `?${query.toString()}` : '';
}

function read(): { readonly choices: Choices; readonly problem: string | null } {
  try {
    return { choices: readChoices(location.search, location.origin), problem: null };
  } catch (error) {
    return { choices: DEFAULTS, problem: error instanceof Error ? error.message : String(error) };
  }
}
