// The pages for people who sign in: copies what is shown once, and sends each form once. Without
// it, only the buttons for copying are missing.
(() => {
  const $$ = s => [...document.querySelectorAll(s)];
  $$("[data-copy]").forEach(at => {
    const button = document.createElement("button");
    button.type = "button"; button.className = "btn slim"; button.textContent = at.dataset.copy;
    button.onclick = async () => {
      await navigator.clipboard.writeText(at.parentElement.previousElementSibling.innerText);
      button.textContent = at.dataset.done;
      setTimeout(() => { button.textContent = at.dataset.copy; }, 1500);
    };
    at.replaceChildren(button);
  });

  // Passkeys: the device answers the challenge of the form, and then the form is sent.
  $$("form[data-passkey]").forEach(form => form.addEventListener("submit", async e => {
    if (form.elements.answer.value) return;
    e.preventDefault(); e.stopPropagation();
    const error = form.querySelector(".err"), options = JSON.parse(form.dataset.options);
    error.textContent = "";
    try {
      const key = form.dataset.passkey === "create"
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.answer.value = JSON.stringify(key);
      form.requestSubmit();
    } catch { error.textContent = form.dataset.stopped; }
  }));

  // A second click on a button while the first one is on its way does nothing.
  addEventListener("submit", e => {
    if (e.target.method !== "post") return;
    if (e.target.dataset.sent) e.preventDefault();
    e.target.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => $$("form").forEach(f => { delete f.dataset.sent; }));
})();
