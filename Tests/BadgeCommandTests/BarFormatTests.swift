// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCommand

@Suite struct BarFormatTests {
  private static let mail = BarItem(
    id: "mail",
    text: "3",
    count: 3,
    isVisible: true,
    max: 999,
    description: "3 unread",
    background: "#FF0000",
    foreground: "#FFFFFF"
  )
  private static let chat = BarItem(
    id: "chat",
    kind: "text",
    text: "on air",
    isVisible: true,
    isUrgent: true,
    background: "#00FF0080",
    foreground: "#000000"
  )
  private static let hidden = BarItem(id: "mail", background: "#FF0000", foreground: "#FFFFFF")
  private static let attack = BarItem(
    id: "<b>&",
    kind: "text",
    text: "%{B#f00}%%{{a<i>&\"'\\xff\u{1B}[31m\n|",
    isVisible: true,
    description: "<u>%{T2}\\x",
    background: "%{A:reboot:}",
    foreground: "#GGGGGG"
  )

  @Test("Waybar gets its five keys, with the description and the exact number in the tooltip")
  func waybar() {
    #expect(
      WaybarFormat().update(for: BarView(items: [Self.mail])) == """
        {"text":"3","alt":"mail","tooltip":"3 unread\\nmail: 3","class":["badge","number"],\
        "percentage":0}

        """
    )
    var capped = Self.mail
    (capped.text, capped.count, capped.isUrgent) = ("99+", 4200, true)
    capped.max = 99
    #expect(
      WaybarFormat().update(for: BarView(items: [capped], motionClass: "bounce-a")) == """
        {"text":"99+","alt":"mail","tooltip":"3 unread\\nmail: 4200",\
        "class":["badge","number","urgent","bounce-a"],"percentage":100}

        """
    )
  }

  @Test("Waybar hides a badge by an empty text, or by an empty line on request")
  func waybarHides() {
    #expect(
      WaybarFormat().update(for: BarView(items: [Self.hidden], isConnected: false)) == """
        {"text":"","alt":"mail","tooltip":"mail: 0",\
        "class":["badge","number","hidden","disconnected"],"percentage":0}

        """
    )
    let blank = WaybarFormat(hidesByBlank: true)
    #expect(blank.update(for: BarView(items: [Self.hidden])) == "\n")
    #expect(blank.update(for: BarView(items: [Self.mail])) != "\n")
  }

  @Test("Waybar is given no markup, no raw backslash and no control character")
  func waybarEscapes() throws {
    let line = WaybarFormat().update(for: BarView(items: [Self.attack]))
    #expect(
      line == """
        {"text":"%{B#f00}%%{{a&lt;i&gt;&amp;&quot;&#39;\\u005cxff [31m |","alt":"&lt;b&gt;&amp;",\
        "tooltip":"&lt;u&gt;%{T2}\\u005cx\\n&lt;b&gt;&amp;: %{B#f00}%%{{a&lt;i&gt;&amp;&quot;&#39;\
        \\u005cxff [31m |","class":["badge","text"],"percentage":100}

        """
    )
    #expect(!line.contains("\\x"))
    #expect(throws: Never.self) { try JSONParser.parse(line) }
  }

  @Test("Several badges share a module")
  func waybarSeveral() {
    #expect(
      WaybarFormat().update(for: BarView(items: [Self.mail, Self.chat, Self.hidden])) == """
        {"text":"3 on air","alt":"badges","tooltip":"3 unread\\nmail: 3\\nchat: on air",\
        "class":["badge","several","urgent"],"percentage":100}

        """
    )
  }

  @Test("The percentage is the progress, else the part of the cap that is reached")
  func percentages() {
    func percentage(count: Int64, max: Int64 = 100, progress: Double = -1) -> Int64 {
      BarItem(id: "a", count: count, isVisible: true, max: max, progress: progress).percentage
    }
    #expect(percentage(count: 50) == 50)
    #expect(percentage(count: 50, progress: 0.25) == 25)
    #expect(percentage(count: 50, progress: 0) == 0)
    #expect(percentage(count: 1, max: 200) == 1)
    #expect(percentage(count: -5) == 0)
    #expect(percentage(count: .max) == 100)
    #expect(percentage(count: 3, max: 0) == 100)
    #expect(BarItem(id: "a", kind: "dot", isVisible: true).percentage == 100)
  }

  @Test("polybar gets a segment in the badge's colours, transparency first, and an empty line")
  func polybar() {
    let format = PolybarFormat()
    #expect(
      format.update(for: BarView(items: [Self.mail, Self.hidden, Self.chat])) == """
        %{B#FF0000}%{F#FFFFFF} 3 %{F-}%{B-} %{B#8000FF00}%{F#000000} on air %{F-}%{B-}

        """
    )
    #expect(format.update(for: BarView(items: [Self.hidden])) == "\n")
    #expect(format.update(for: BarView(items: [])) == "\n")
  }

  @Test("Nothing a badge says can open a tag of polybar")
  func polybarEscapes() {
    let line = PolybarFormat().update(for: BarView(items: [Self.attack]))
    #expect(line == " % {B#f00}%% {{a<i>&\"'\\xff [31m | \n")
    for text in ["%{", "%%{{", "%%%{{{", "%\u{0}{", "{%{"] {
      var item = Self.attack
      item.text = text
      #expect(!PolybarFormat().update(for: BarView(items: [item])).contains("%{"))
    }
  }

  @Test("i3blocks gets colours, and an empty text for what is hidden")
  func i3blocks() {
    let format = I3BlocksFormat()
    #expect(
      format.update(for: BarView(items: [Self.mail])) == """
        {"full_text":"3","short_text":"3","color":"#FFFFFF","background":"#FF0000",\
        "urgent":false,"markup":"none"}

        """
    )
    #expect(
      format.update(for: BarView(items: [Self.hidden])) == """
        {"full_text":"","short_text":"","urgent":false,"markup":"none"}

        """
    )
  }

  @Test("i3status-rust gets a state and escaped markup")
  func i3status() {
    let format = I3StatusFormat()
    #expect(
      format.update(for: BarView(items: [Self.chat])) == """
        {"icon":"","state":"Critical","text":"on air","short_text":"on air"}

        """
    )
    #expect(format.update(for: BarView(items: [Self.mail])).contains(#""state":"Info""#))
    #expect(
      format.update(for: BarView(items: [Self.hidden])) == """
        {"icon":"","state":"Idle","text":"","short_text":""}

        """
    )
    #expect(!format.update(for: BarView(items: [Self.attack])).contains("<"))
  }

  @Test("yambar gets one tag a line and an empty line at the end, whatever the badge says")
  func yambar() {
    #expect(
      YambarFormat().update(for: BarView(items: [Self.mail])) == """
        id|string|mail
        text|string|3
        kind|string|number
        count|int|3
        visible|bool|true
        urgent|bool|false
        description|string|3 unread


        """
    )
    let lines = YambarFormat().update(for: BarView(items: [Self.attack])).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.count == 9)
    #expect(lines.dropLast(2).allSatisfy { !$0.isEmpty })
  }

  @Test("The total adds up what shows, and saturates")
  func totals() {
    var large = Self.mail
    large.count = (1 << 53) - 1
    #expect(BarItem.total(of: [Self.mail, Self.chat, Self.hidden]).text == "3")
    #expect(BarItem.total(of: [large, large]).count == (1 << 53) - 1)
    #expect(!BarItem.total(of: [Self.chat]).isVisible)
    #expect(BarItem.total(of: [Self.chat]).isUrgent)
  }

  @Test("A word for a shell stays one word")
  func quotesForShells() {
    #expect(Escaping.shell("it's $(x)") == #"'it'\''s $(x)'"#)
  }
}
