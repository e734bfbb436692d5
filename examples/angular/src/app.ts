import { Component, inject } from '@angular/core';
import { Portico, PorticoLogin } from './portico';

@Component({
  selector: 'app-root',
  imports: [PorticoLogin],
  template: `
    @if (portico.user(); as user) {
      <h1>Hello, {{ user.emails[0]?.email }}</h1>
      <button type="button" (click)="portico.signOut()">Sign out</button>
    } @else {
      <div porticoLogin></div>
    }
  `,
})
export class App {
  protected readonly portico = inject(Portico);
}
