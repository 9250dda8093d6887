"""Drives `memdir mcp` with the reference SDK for Python, which checks every answer against its schema.

Usage: client.py PATH_OF_MEMDIR. Makes its own home; exits 0 when all is well.
"""

import asyncio
import os
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client


async def main(program: str, home: str) -> None:
    project = os.path.join(home, "work", "app")
    os.makedirs(project)
    env = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "MEMDIR_NO_BACKGROUND": "1"}
    server = StdioServerParameters(command=program, args=["mcp"], cwd=project, env=env)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.instructions and "remember" in hello.instructions
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert sorted(tools) == ["forget", "history", "read", "recall", "remember", "search", "undo"], tools
        assert all(tool.outputSchema for tool in tools.values())

        async def call(name: str, **arguments):
            result = await session.call_tool(name, arguments)
            assert not result.isError, (name, result)
            assert result.content and result.content[0].text
            return result.structuredContent

        saved = await call("remember", text="The staging cluster is called heron", type="reference")
        file = saved["file"]
        recalled = await call("recall", query="what is the staging cluster called?")
        assert [one["file"] for one in recalled["memories"]] == [file], recalled
        assert "heron" in (await call("read", file=file))["text"]
        assert (await call("search", term="heron"))["hits"]
        assert (await call("forget", file=file))["files"] == [file]
        changes = (await call("history"))["changes"]
        assert changes[0]["reason"] == "forget", changes
        await call("undo", change=changes[0]["change"])
        uri = f"memdir://private/{file}"
        listed = [str(one.uri) for one in (await session.list_resources()).resources]
        assert uri in listed, listed
        assert "heron" in (await session.read_resource(uri)).contents[0].text
        assert len((await session.list_resource_templates()).resourceTemplates) == 2
        prompts = [prompt.name for prompt in (await session.list_prompts()).prompts]
        assert prompts == ["remember", "recall", "dream"], prompts
        prompt = await session.get_prompt("recall", {"query": "what is the staging cluster called?"})
        assert "heron" in prompt.messages[0].content.text
        steps = []

        async def step(progress, total, message):
            steps.append((progress, message))

        request = types.ClientRequest(
            types.GetPromptRequest(params=types.GetPromptRequestParams(name="dream"))
        )
        await session.send_request(request, types.GetPromptResult, progress_callback=step)
        assert steps and [one for one, _ in steps] == sorted(one for one, _ in steps), steps
        refused = await session.call_tool("read", {"file": "../../etc/passwd"})
        assert refused.isError
    print("the Python SDK and memdir understand each other")


with tempfile.TemporaryDirectory(prefix="memdir-mcp-") as made:
    asyncio.run(main(os.path.abspath(sys.argv[1]), made))
