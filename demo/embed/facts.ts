import { el } from '../parts/dom.ts';

/** Shows further effects of an option: the target of the requests, and the cookies that this page can read. */
export function showFacts(into: HTMLElement): { readonly update: () => void; readonly log: (message: string) => void } {
  const hosts = el('dd', {});
  const cookies = el('dd', {});
  const logged = el('dd', {});
  const logTerm = el('dt', { hidden: true }, 'Log');
  into.replaceChildren(el('dt', {}, 'Requests to'), hosts, el('dt', {}, 'Cookies'), cookies, logTerm, logged);
  const update = () => {
    const urls = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
    const others = [...new Set(urls.filter(({ origin }) => origin !== location.origin).map(({ host }) => host))];
    hosts.textContent = others.length > 0 ? others.join(', ') : 'none yet';
    const names = document.cookie.split('; ').flatMap((one) => (one === '' ? [] : [one.split('=')[0] ?? '']));
    cookies.textContent = names.length > 0 ? names.join(', ') : 'none until somebody is signed in';
  };
  new PerformanceObserver(update).observe({ type: 'resource' });
  update();
  return {
    update,
    log: (message) => {
      logTerm.hidden = false;
      logged.textContent = message;
    },
  };
}
