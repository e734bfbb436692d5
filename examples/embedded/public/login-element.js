import { client, config } from './client.js';

/** `<portico-login>`: the widget while nobody is signed in, then the content between its tags. */
class PorticoLogin extends HTMLElement {
  #widget = null;
  #stop = null;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' });
  }

  connectedCallback() {
    this.#stop = client.session.onChange(() => this.#show());
    this.#show();
  }

  disconnectedCallback() {
    this.#stop?.();
    this.#widget?.unmount();
    this.#widget = null;
  }

  #show() {
    if (client.session.getSync() === null) {
      if (this.#widget !== null) return;
      const place = document.createElement('div');
      this.shadowRoot.replaceChildren(place);
      this.#widget = client.mountLogin({ elementId: place, config, styles: { preset: 'modern' } });
      return;
    }
    if (this.shadowRoot.querySelector('slot') !== null) return;
    this.#widget?.unmount();
    this.#widget = null;
    this.shadowRoot.replaceChildren(document.createElement('slot'));
    this.dispatchEvent(new CustomEvent('portico-sign-in', { bubbles: true, composed: true }));
  }
}

customElements.define('portico-login', PorticoLogin);
