import type { Products } from 'portico';
import { el } from '../parts/dom.ts';
import { sameJson } from '../parts/presets.ts';
import { checkbox, group } from './controls.ts';
import { moveProduct, PRODUCTS, productsOf, setProduct } from './edits.ts';
import type { MakeSection } from './section.ts';

const ALL = Object.keys(PRODUCTS) as Products[];

/** The products of the widget, and their order. */
export const productsSection: MakeSection = (address) => {
  const said = el('p', { class: 'unseen', set: { role: 'status' } });
  const move = (product: Products, by: -1 | 1) => {
    const config = moveProduct(address.choices.config, product, by);
    address.choose({ config });
    const products = productsOf(config);
    said.textContent = `${PRODUCTS[product]}: place ${products.indexOf(product) + 1} of ${products.length}`;
  };
  const rows = new Map(
    ALL.map((product) => {
      const name = PRODUCTS[product];
      const chosen = checkbox(name, (on) =>
        address.choose({ config: setProduct(address.choices.config, product, on) }),
      );
      const mover = (by: -1 | 1, sign: string, way: string) =>
        el(
          'button',
          {
            class: 'move',
            set: { type: 'button', 'aria-label': `Move ${name} ${way}` },
            onClick: () => move(product, by),
          },
          sign,
        );
      const moves = el('span', { class: 'moves' }, mover(-1, '↑', 'up'), mover(1, '↓', 'down'));
      return [product, { chosen, moves, row: el('li', {}, chosen.element, moves) }] as const;
    }),
  );
  const list = el('ol', { class: 'products', set: { 'aria-label': 'Products, in the order of the widget' } });
  const { element, note } = group('Products', true, list, said);
  let order: readonly string[] = [];
  return {
    element,
    show({ config }) {
      const products = productsOf(config).filter((one) => rows.has(one));
      note(String(products.length));
      for (const [product, { chosen, moves }] of rows) {
        const at = products.indexOf(product);
        chosen.show(at >= 0);
        moves.hidden = at < 0;
        const [up, down] = moves.children;
        up?.setAttribute('aria-disabled', String(at === 0));
        down?.setAttribute('aria-disabled', String(at === products.length - 1));
      }
      const next = [...products, ...ALL.filter((one) => !products.includes(one))];
      if (sameJson(order, next)) return;
      order = next;
      const focused = document.activeElement;
      list.replaceChildren(...next.flatMap((product) => rows.get(product)?.row ?? []));
      if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
    },
  };
};
