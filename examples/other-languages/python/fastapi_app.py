"""Routes of FastAPI that use portico.py. Run it with: uvicorn fastapi_app:app --port 8000"""

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse

from portico import Refused, access_of, session_of

app = FastAPI()


@app.exception_handler(Refused)
def refuse(_request: Request, refused: Refused):
    return JSONResponse({"error": str(refused)}, status_code=refused.status)


# These are no coroutines, so FastAPI calls them in a thread: they may wait for the keys.
def signed_in(request: Request):
    return session_of(request.method, request.headers)


def editor(request: Request):
    return session_of(request.method, request.headers, "editor")


def reader_of_notes(request: Request):
    return access_of(request.headers, "notes:read")


@app.get("/session")
def read_session(session=Depends(signed_in)):
    return session


@app.get("/drafts")
@app.post("/drafts")
def drafts(session=Depends(editor)):
    return session


@app.get("/notes")
def read_notes(access=Depends(reader_of_notes)):
    return access
