const REFERENCES = [
  'for',
  'form',
  'list',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-activedescendant',
];

/** The ids that several elements of one root have, and the references that lead out of their widget or nowhere. */
export function crossings(containers: readonly Element[]): readonly string[] {
  const seen = new Map<Node, Map<string, Element>>();
  return containers.flatMap((container) => {
    const root = container.getRootNode();
    const ids = seen.get(root) ?? new Map<string, Element>();
    seen.set(root, ids);
    const doubles = [...container.querySelectorAll('[id]')].flatMap(({ id }) => {
      const isDouble = ids.has(id);
      ids.set(id, container);
      return isDouble ? [`${id} is the id of two elements`] : [];
    });
    const lost = REFERENCES.flatMap((name) =>
      [...container.querySelectorAll(`[${name}]`)].flatMap((element) =>
        (element.getAttribute(name) ?? '')
          .split(/\s+/u)
          .filter((id) => id !== '' && container.querySelector(`[id="${CSS.escape(id)}"]`) === null)
          .map((id) => `${name}="${id}" of a ${element.localName} leads out of its widget`),
      ),
    );
    return [...doubles, ...lost];
  });
}

/** The fields and buttons of a widget that a form around it takes for its own. */
export const fieldsOfHost = (host: HTMLFormElement): readonly string[] =>
  [...host.querySelectorAll('input, select, textarea, [type=submit]')]
    .filter((field) => field.closest('form') === host && field.getAttribute('form') !== '')
    .map((field) => field.outerHTML);
