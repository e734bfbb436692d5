import { afterNextRender, DestroyRef, Directive, ElementRef, inject, Injectable, signal } from '@angular/core';
import { defineLogin, PorticoUIClient } from 'portico/standalone';

/** The address of the provider: `define` in angular.json. */
declare const PORTICO_API_URL: string;

const PUBLIC_TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';
const config = defineLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });

/** One client for the app, and who is signed in, as a signal. */
@Injectable({ providedIn: 'root' })
export class Portico {
  readonly client = new PorticoUIClient(PUBLIC_TOKEN, { apiUrl: PORTICO_API_URL });
  private readonly current = signal(this.client.user.getSync());
  readonly user = this.current.asReadonly();

  constructor() {
    const stop = this.client.user.onChange((user) => this.current.set(user));
    inject(DestroyRef).onDestroy(() => {
      stop();
      this.client.destroy();
    });
  }

  async signOut(): Promise<void> {
    await this.client.session.revoke();
  }
}

/** The widget, as long as its element is in the page. */
@Directive({ selector: '[porticoLogin]' })
export class PorticoLogin {
  constructor() {
    const { client } = inject(Portico);
    const element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const widget = client.mountLogin({ elementId: element, config, styles: { preset: 'modern' } });
      destroyed.onDestroy(() => widget.unmount());
    });
  }
}
