"""
A program: an agent with the client of FastMCP. It lists and calls tools, refreshes, calls again, and forgets its tokens. Its last line is
what it got.

    fastmcp_agent.py SERVER OTHER_SERVER PORT [CLIENT_ID]
"""

import asyncio
import json
import sys

import httpx2
from fastmcp import Client
from fastmcp.client.auth import OAuth

server, other, port, *document = sys.argv[1:]


async def main():
    # Without the address of its document the client registers itself.
    auth = OAuth(
        callback_host="127.0.0.1",
        callback_port=int(port),
        client_id=document[0] if document else None,
        additional_client_metadata={"token_endpoint_auth_method": "none"},
    )

    async def call(name, **given):
        async with Client(server, auth=auth) as client:
            return (await client.call_tool(name, given)).content[0].text

    async with Client(server, auth=auth) as client:
        tools = [tool.name for tool in await client.list_tools()]
    added = await call("add_note", note="Buy milk")
    before = auth.context.current_tokens.access_token
    # As if the token had expired.
    auth.context.token_expiry_time = 1
    notes = await call("list_notes")
    after = auth.context.current_tokens.access_token
    headers = {"authorization": f"Bearer {after}", "accept": "application/json"}
    async with httpx2.AsyncClient() as http:
        foreign = (await http.post(other, json={}, headers=headers)).status_code
    client_id = auth.context.client_info.client_id
    await auth.token_storage_adapter.clear()
    forgot = await auth.token_storage_adapter.get_tokens() is None
    refreshed = before != after
    found = dict(tools=tools, added=added, notes=notes, refreshed=refreshed, foreign=foreign, client_id=client_id, forgot=forgot)
    print(json.dumps(found))


asyncio.run(main())
